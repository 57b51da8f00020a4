import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/reporters';

const launchOptions = { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] };

// The machine of CI may stand still for seconds: once more there.
const retry = process.env.CI === undefined ? 0 : 1;

/** Tells which tests passed only the second time. */
const told: Reporter = {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky === true) console.warn(`passed the second time: ${test.fullName}`);
  },
};

export default defineConfig({
  test: {
    reporters: ['default', told],
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
          retry,
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
