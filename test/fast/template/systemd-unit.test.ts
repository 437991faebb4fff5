import { expect, it } from 'vitest';
import { commandLine, systemdUnit } from '../../../src/template/systemd-unit.ts';

it('keeps a flag with a line break in one setting', () => {
  const command = commandLine('/bin/x', { a: 'b\nExecStartPre=/bin/evil', c: 'tab\there' });
  const unit = systemdUnit({ Service: { ExecStart: command } });
  expect(unit.split('\n').filter((line) => line.startsWith('Exec'))).toHaveLength(1);
  expect(command).toContain(String.raw`"--a=b\x0aExecStartPre=/bin/evil"`);
  expect(command).toContain(String.raw`"--c=tab\x09here"`);
});
