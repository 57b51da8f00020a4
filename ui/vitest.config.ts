import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

const launchOptions = { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] };

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [svelte()],
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          environment: 'node',
          // Its numbers are tested; other style sheets are nothing to a test without a page.
          css: { include: [/theme\.css/] },
        },
      },
      {
        plugins: [svelte()],
        // Found before the first test needs them: a page is not loaded anew in the middle of one.
        optimizeDeps: { include: ['axe-core', 'bits-ui'] },
        test: {
          name: 'browser',
          include: ['tests/**/*.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1280, height: 1000 },
            provider: playwright({ launchOptions }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
