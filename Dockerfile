# The image of a release: goreleaser puts the binary of each platform beside this file.
#   docker run --rm -v "$PWD:/project" ghcr.io/gete-lint/gete validate
# Alpine, for its certificates (--live) and its shell, which CI systems start jobs with.
FROM alpine:3.22
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/gete /usr/local/bin/gete
WORKDIR /project
USER 65534:65534
ENTRYPOINT ["gete"]
