import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { PlainReporter } from './tools/plain-reporter.ts'

// The suffix is the kind: unit tests need no IO; `int` has a real engine and sockets, or a process of its own, and needs forks (the engine crashes in worker threads).
const globalSetup = 'packages/testkit/src/run-folder.ts'
const exclude = ['**/node_modules/**', '**/dist/**']
// How long a test may wait for what will come is no measure of speed: a loaded machine must not fail a right program.
const patient = { poll: { timeout: 90_000, interval: 250 } }

export default defineConfig({
  test: {
    // One processor is left free by default, and of two that is half: most files wait for a program they started.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', ...(process.env['LOGSTACK_TEST_RESULT'] ? [new PlainReporter()] : [])],
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup,
          // Files share what they import: to read it anew for each cost more than the tests. What a file changes of a module or of the process it puts back.
          isolate: false,
          testTimeout: 120_000,
          expect: patient,
          include: ['{apps,packages}/**/*.{test,prop.test}.ts'],
          exclude: [...exclude, '**/*.int.test.ts'],
        },
      },
      { test: { name: 'tidy', include: ['tools/**/*.test.ts'], exclude, testTimeout: 120_000 } },
      {
        test: {
          name: 'int',
          globalSetup,
          include: ['{apps,packages}/**/*.int.test.ts'],
          exclude,
          pool: 'forks',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'e2e',
          globalSetup,
          include: ['e2e/**/*.e2e.ts'],
          exclude: [...exclude, 'e2e/host/**'],
          pool: 'forks',
          // Whole stacks and browsers wait more than they work, but more than two would need much memory. A group of its own, as others have more.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'host',
          include: ['e2e/host/**/*.e2e.ts'],
          exclude,
          pool: 'forks',
          // Each suite boots hosts of its own, and waits for them more than it works.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          globalSetup: [globalSetup, 'e2e/host/prepare.ts'],
          testTimeout: 600_000,
          hookTimeout: 1_200_000,
          expect: patient,
        },
      },
    ],
  },
})
