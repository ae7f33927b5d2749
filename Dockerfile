# One image for every process: docker run … vitrine web | worker | migrate | doctor | … (without a command it lists them).
# The base has Node.js 24 and a C library that the packages' binaries are built for (glibc).
ARG BASE=docker.io/library/node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /src
COPY . .
# The build needs no setting and no secret, and takes none.
RUN npm install --omit=dev --no-audit --no-fund && npm run build && npm run image:files -- --to /out

FROM ${BASE}
LABEL org.opencontainers.image.title="Vitrine" org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=build /out /app
# Pictures are stored here unless S3_BUCKET is set: the only folder, beside /tmp, that is ever written to.
RUN mkdir -p /data/media && chown -R 10001:10001 /data
# Keeps memory small: short-lived objects get 24 MB, and threads share their free memory.
ENV NODE_OPTIONS=--max-semi-space-size=16 MALLOC_ARENA_MAX=2
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 MEDIA_DIR=/data/media
USER 10001:10001
VOLUME /data/media
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["node", "/app/scripts/image/health.ts"]
ENTRYPOINT ["node", "/app/scripts/image/run.mjs"]
CMD ["web"]
