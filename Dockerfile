FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Without the script that makes a clone ready: what is wanted here is built below.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY install ./install
COPY bin ./bin
COPY src ./src
COPY scenarios ./scenarios
# Served: documentation, clients in other languages, files for CI, example merchants.
COPY README.md ./
COPY clients ./clients
COPY test/merchants/python ./test/merchants/python
COPY test/merchants/typescript ./test/merchants/typescript
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  # What no container ever reads: types and maps, SQLite's sources, and native modules of other systems.
  && rm -rf dist/made \
  && find dist node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -delete \
  && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
  && find node_modules/better-sqlite3/prebuilds -name '*.node' ! -name 'linux-*' -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    MFANO_HOST=0.0.0.0 \
    MFANO_DATA=/data \
    # localhost in a callbackUrl is the machine outside, where the engine gives that a name: Docker's or Podman's.
    MFANO_CALLBACK_HOST=host.docker.internal,host.containers.internal \
    NODE_COMPILE_CACHE=/app/compiled
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE README.md ./
COPY bin/program.cjs bin/short-lived.cjs bin/completion.* bin/new-scenario.yaml ./bin/
COPY --from=build /app/scenarios ./scenarios
RUN mkdir /data compiled && chown node:node /data compiled
USER node
# One start, answer and stop: what is compiled and what the default scenario holds is kept in the image, so that the first
# start of a container, in CI usually the only one, is as quick as a second one. A cache of another machine or other
# flags is not used; then the start takes as long as it would without.
RUN node --max-semi-space-size=8 --v8-pool-size=2 bin/program.cjs --data :memory: --log off & pid=$! \
  && until node -e "fetch('http://127.0.0.1:8080/_mfano/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"; \
  do kill -0 $pid && sleep 0.1; done \
  && kill -TERM $pid && wait $pid
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/_mfano/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Exec form, so that the signal to stop arrives at mfano itself.
# A young generation of 8 MB at most, and two threads for compiling and clearing: by itself, Node takes twice the memory
# under load.
ENTRYPOINT ["node", "--max-semi-space-size=8", "--v8-pool-size=2", "bin/program.cjs"]
