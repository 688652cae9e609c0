// A small static server for the tests: the built page, run folders with Range, and what a test adds.

import { createServer } from "node:http";
import { open, readFile, stat } from "node:fs/promises";
import { basename, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

export const PAGE = fileURLToPath(new URL("../dist/viewer.html", import.meta.url));

async function send_file(path, request, response) {
  let size;
  try {
    size = (await stat(path)).size;
  } catch {
    response.writeHead(404).end("not found");
    return;
  }
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
  const first = range ? Number(range[1]) : 0;
  const last = range ? Math.min(Number(range[2]), size - 1) : size - 1;
  if (range && first >= size) {
    response.writeHead(416, { "Content-Range": `bytes */${size}` }).end();
    return;
  }
  const bytes = Buffer.alloc(last - first + 1);
  const file = await open(path);
  await file.read(bytes, 0, bytes.length, first);
  await file.close();
  response.writeHead(range ? 206 : 200, { "Content-Type": path.endsWith(".html") ? "text/html" : "application/octet-stream", ...(range ? { "Content-Range": `bytes ${first}-${last}/${size}` } : {}) });
  response.end(bytes);
}

/** Serves run folders; `extra(request, response)` may answer first and then returns true. */
export async function serve(folders, extra = null, html = null) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://localhost");
    requests.push({ path: url.pathname, range: request.headers.range ?? null });
    if (extra && (await extra(request, response, url))) return;
    if (url.pathname === "/") {
      response.writeHead(200, { "Content-Type": "text/html" }).end(html ?? (await readFile(PAGE)));
    } else if (url.pathname === "/api/runs" && folders) {
      const runs = folders.map((folder, k) => ({ name: basename(folder), base: `runs/${k}/` }));
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(runs));
    } else {
      const match = /^\/runs\/(\d+)\/([^/]+)$/.exec(decodeURIComponent(url.pathname));
      if (match && folders?.[match[1]]) await send_file(join(folders[match[1]], normalize(match[2])), request, response);
      else response.writeHead(404).end("not found");
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const stop = () => new Promise((done) => { server.closeAllConnections(); server.close(done); });
  return { url: `http://127.0.0.1:${server.address().port}/`, requests, stop };
}
