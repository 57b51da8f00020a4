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

export default defineConfig({
  plugins: [svelte(), packages()],
  clearScreen: false,
  server: { port: 5173, strictPort: true },
  build: {
    target: ['es2022', 'safari16'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
