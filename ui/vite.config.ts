import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

/** Lists the folders of the packages whose code is in the page, for the licences: `dist/packages.json`. */
function packages(): Plugin {
  return {
    name: 'packages',
    generateBundle(_, bundle) {
      const folders = new Set<string>();
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue;
        for (const [id, { renderedLength }] of Object.entries(part.modules)) {
          const folder = /\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(id);
          if (folder?.[1] !== undefined && renderedLength > 0) folders.add(folder[1]);
        }
      }
      const source = `${JSON.stringify([...folders].sort())}\n`;
      this.emitFile({ type: 'asset', fileName: 'packages.json', source });
    },
  };
}

/** Bytes of script that the page begins with, at most. */
const MOST_AT_START = 500_000;

/** Stops the build when the page begins with more than that. */
function bounded(): Plugin {
  return {
    name: 'bounded',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
      const begun = new Set(chunks.filter(({ isEntry }) => isEntry));
      // A set is walked through to the end even while it grows.
      for (const { imports } of begun) {
        for (const chunk of chunks) if (imports.includes(chunk.fileName)) begun.add(chunk);
      }
      const bytes = [...begun].reduce((sum, { code }) => sum + Buffer.byteLength(code), 0);
      const told = `${bytes.toString()} bytes of ${MOST_AT_START.toString()}`;
      if (bytes === 0 || bytes > MOST_AT_START) this.error(`the page begins with ${told}`);
    },
  };
}

export default defineConfig({
  plugins: [svelte(), packages(), bounded()],
  clearScreen: false,
  server: { port: 5173, strictPort: true },
  build: {
    target: ['es2022', 'safari16'],
    assetsInlineLimit: 0,
    // One sheet: rules keep their order, whatever is fetched first.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
  },
});
