# mfano from the tarball in your repository: docker build -t mfano -f mfano.Dockerfile .
FROM node:24-bookworm-slim
COPY vendor/mfano-*.tgz /
RUN npm install --global --no-audit --no-fund /mfano-*.tgz
# localhost in a callbackUrl is the machine outside, where one of these names resolves.
ENV MFANO_HOST=0.0.0.0 MFANO_DATA=:memory: MFANO_CALLBACK_HOST=host.docker.internal,host.containers.internal
EXPOSE 8080
HEALTHCHECK --interval=1s --timeout=3s --retries=30 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/_mfano/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["mfano"]
