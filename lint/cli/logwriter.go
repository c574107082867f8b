package cli

import (
	"bytes"
	"io"
	"log/slog"
	"sync/atomic"
	"time"
)

const (
	logLines = 1024        // that may wait for who reads them
	logLeave = time.Second // for the last of them to be read
)

// A logWriter hands lines on, and never has the writer wait: a client of gete proxy may
// leave its log unread (MCP specification 2025-11-25, transports, "stdio"), and calls must
// go on. Lines that find no room are lost, and how many is said once there is some.
type logWriter struct {
	lines chan []byte
	lost  atomic.Int64
	end   chan struct{} // closed when what is there is all there will be
	done  chan struct{} // closed when that is written
}

// newLog is a logger to w in a format, text or json, and what ends it: what is logged later
// may be lost.
func newLog(w io.Writer, format string) (log *slog.Logger, end func()) {
	handler := func(w io.Writer) slog.Handler {
		if format == "json" {
			return slog.NewJSONHandler(w, nil)
		}
		return slog.NewTextHandler(w, nil)
	}
	l := &logWriter{lines: make(chan []byte, logLines), end: make(chan struct{}), done: make(chan struct{})}
	go l.hand(w, slog.New(handler(w)))
	return slog.New(handler(l)), func() {
		close(l.end)
		select {
		case <-l.done:
		case <-time.After(logLeave):
		}
	}
}

func (l *logWriter) hand(w io.Writer, direct *slog.Logger) {
	defer close(l.done)
	write := func(line []byte) {
		_, _ = w.Write(line) // there is nowhere left to say that this failed
		if n := l.lost.Swap(0); n > 0 {
			direct.Warn("the log was not read in time", "lines_lost", n)
		}
	}
	for {
		select {
		case line := <-l.lines:
			write(line)
			continue
		default:
		}
		select {
		case line := <-l.lines:
			write(line)
		case <-l.end:
			if len(l.lines) == 0 {
				return
			}
		}
	}
}

// Write implements io.Writer. It takes a line at a time.
func (l *logWriter) Write(line []byte) (int, error) {
	select {
	case l.lines <- bytes.Clone(line):
	default:
		l.lost.Add(1)
	}
	return len(line), nil
}
