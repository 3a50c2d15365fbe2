# Parley in one image: Node and the built service with what it needs at run time, and nothing that could build it.
# PostgreSQL and Redis are services of their own: docker-compose.yml.

FROM node:24-bookworm-slim AS tools
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/no-swagger-ui packages/no-swagger-ui
RUN npm ci --workspaces=false --ignore-scripts --no-audit --no-fund --loglevel=error

FROM tools AS build
COPY docs/.vitepress/package.json docs/.vitepress/package-lock.json docs/.vitepress/
RUN npm ci --prefix docs/.vitepress --ignore-scripts --no-audit --no-fund --loglevel=error
COPY .swcrc nest-cli.json tsconfig.json ./
COPY LICENSE ./
COPY scripts/build-info.mjs scripts/build-console.mjs scripts/build-widget.mjs scripts/archive.mjs scripts/light-socket-io.mjs scripts/link-cli.mjs scripts/pack-sdk.mjs scripts/
COPY migrations migrations
COPY headless headless
COPY widget widget
COPY console console
COPY packages packages
COPY examples/react-chat examples/react-chat
COPY docs docs
COPY src src
ARG REVISION=unknown
RUN npm run --silent build:service \
 && node docs/.vitepress/build.mjs \
 && rm -r dist/packages \
 && mv docs/.vitepress/dist dist/docs \
 && find dist \( -name '*.map' -o -name '*.d.ts' -o -name '*.tsbuildinfo' \) -delete

# Without the optional ones there is no embedded PostgreSQL.
FROM tools AS dependencies
COPY docker/prune.mjs docker/
RUN npm prune --workspaces=false --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error \
 && node docker/prune.mjs node_modules

FROM node:24-bookworm-slim
# What installs packages has no business here. A volume that is mounted below takes its owner from these folders.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
           /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
 && install -d -o node -g node -m 0700 /var/lib/parley /run/parley
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY docker/load-secrets.mjs docker/make-secrets.mjs docker/
COPY docker/bin /usr/local/bin
COPY --from=build /app/dist dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/parley
USER node
EXPOSE 3000
# Whether the process answers, not whether it is ready: a database that is away is no reason to start it anew. It listens
# only once its schema is there, so the first time it answers it is ready too.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "--import", "/app/docker/load-secrets.mjs", "dist/src/main.js"]
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Parley" \
      org.opencontainers.image.description="Self-hosted live-chat backend for bots" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="docker.io/library/node:24-bookworm-slim" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
