# The package as npm would publish it, built from this folder.
FROM node:24-slim AS build
WORKDIR /src
# In a layer of its own: a build after a change of the sources does not install again.
COPY package.json package-lock.json ./
COPY scripts/setup.mjs scripts/
RUN node scripts/setup.mjs
COPY . .
RUN npm pack && npm install --global --prefix /opt/pith --omit=dev ./pith-*.tgz

FROM node:24-slim
RUN useradd --uid 10001 --create-home pith && install --directory --owner=pith --group=pith --mode=0700 /data
COPY --from=build /opt/pith /opt/pith
ENV PATH=/opt/pith/bin:$PATH NODE_ENV=production PITH_HOME=/data
# By its number, so that an orchestrator sees that it is not root.
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 7484
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:7484/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["pith"]
CMD ["serve", "--host", "0.0.0.0"]
