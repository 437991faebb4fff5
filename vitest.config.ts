import { defineConfig } from 'vitest/config';
import { defaultMirrorFolder } from './src/lab/mirror/paths.ts';

// The limits only end tests that hang: computers may be busy, and hooks may build a machine image or a mirror.
const limits = { testTimeout: 180_000, hookTimeout: 180_000 };
const onMachines = { fileParallelism: false, testTimeout: 900_000, hookTimeout: 3_600_000 };

const globalSetup = ['test/build.ts'];
const setupFiles = ['test/own-home.ts'];
// Evaluated before tests get their own KUBEXM_HOME.
const env = { KUBEXM_LAB_MIRROR: process.env['KUBEXM_LAB_MIRROR'] ?? defaultMirrorFolder() };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: ['test/fast/**/*.test.ts'],
          ...limits,
          setupFiles,
          globalSetup,
        },
      },
      { test: { name: 'lab', include: ['test/lab/**/*.test.ts'], globalSetup, setupFiles, env, ...onMachines } },
      { test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], globalSetup, setupFiles, env, ...onMachines } },
    ],
  },
});
