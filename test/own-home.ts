import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

// Every test file gets an empty KUBEXM_HOME, so that tests neither read nor change the data of a user or another suite.
const home = mkdtempSync(join(tmpdir(), 'kubexm-home-'));
process.env['KUBEXM_HOME'] = home;
afterAll(() => rmSync(home, { recursive: true, force: true }));
