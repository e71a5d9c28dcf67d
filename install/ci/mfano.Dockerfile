# mfano from the tarball in your repository: docker build -t mfano -f mfano.Dockerfile .
FROM node:24-bookworm-slim
COPY vendor/mfano-*.tgz /
RUN npm install --global --no-audit --no-fund /mfano-*.tgz
ENV MFANO_HOST=0.0.0.0
EXPOSE 8080
CMD ["mfano", "start"]
