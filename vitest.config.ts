import { defineConfig } from 'vitest/config';

// On machines: one file after the other, and time for an image to be built.
const onMachines = { fileParallelism: false, testTimeout: 900_000, hookTimeout: 900_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: ['test/fast/**/*.test.ts'],
          testTimeout: 60_000,
          globalSetup: ['test/build.ts'],
        },
      },
      { test: { name: 'lab', include: ['test/lab/**/*.test.ts'], ...onMachines } },
      { test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], ...onMachines } },
    ],
  },
});
