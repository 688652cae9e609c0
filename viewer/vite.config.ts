import { defineConfig, type Plugin } from "vite";

/** Puts scripts and styles into the page, so that the result is one file that needs nothing else. */
function one_file(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("one-file: no index.html");
      let html = String(page.source);
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === "chunk" && part.isEntry) {
          // "</script" inside the program would end it early.
          const code = part.code.replace(/<\/script/g, "<\\/script");
          html = html.replace(/<script type="module"[^>]*><\/script>/, "");
          html = html.replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
          delete bundle[name];
        } else if (name.endsWith(".css") && part.type === "asset") {
          html = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${String(part.source)}</style>`);
          delete bundle[name];
        }
      }
      page.source = html;
      page.fileName = "viewer.html";
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [one_file()],
  worker: { format: "iife" },
  build: {
    target: "es2022",
    assetsInlineLimit: 100_000_000,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: { output: { inlineDynamicImports: true } },
  },
  test: { include: ["test/**/*.test.ts"] },
} as Parameters<typeof defineConfig>[0]);
