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

/** What libraries write that the window's rules refuse, and what stands there instead. */
const ADAPTED = [
  {
    // Gives a plain object a `constructor`: refused where prototypes are frozen.
    file: 'echarts/lib/core/Scheduler.js',
    from: 'target[name_1] = noop;',
    to: 'Object.defineProperty(target, name_1, { value: noop, writable: true, configurable: true });',
  },
  // Styles in markup are refused, those that a script sets are not.
  ...['group-items', 'item'].map((part) => ({
    file: `bits-ui/dist/bits/command/components/command-${part}.svelte`,
    from: 'style="display: contents;"',
    to: 'style:display="contents"',
  })),
];

/** Replaces {@link ADAPTED}; a library that writes it otherwise by now stops the build. */
function adapted(): Plugin {
  return {
    name: 'adapted',
    enforce: 'pre',
    transform(code, id) {
      const one = ADAPTED.find(({ file }) => id.endsWith(`/node_modules/${file}`));
      if (one === undefined) return undefined;
      if (code.includes(one.from)) return { code: code.replace(one.from, one.to), map: null };
      return this.error(`${one.file} has no ${one.from}: see ADAPTED in vite.config.ts`);
    },
  };
}

export default defineConfig({
  plugins: [adapted(), svelte(), packages(), bounded()],
  // Libraries are put together beforehand there.
  optimizeDeps: { rolldownOptions: { plugins: [adapted()] } },
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
