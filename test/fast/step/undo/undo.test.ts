import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { localConnector } from '../../../../src/connector/local.ts';
import type { Command } from '../../../../src/runner/command.ts';
import { createRunner } from '../../../../src/runner/create-runner.ts';
import { file } from '../../../../src/step/common/file.ts';
import { ownedDirectory } from '../../../../src/step/common/owned-directory.ts';
import { restored } from '../../../../src/step/common/restored.ts';
import { backupName } from '../../../../src/step/contract/backup.ts';
import { identityHash, originIn, removeOrigin } from '../../../../src/step/contract/origin.ts';
import type { GenericStep, StepContext } from '../../../../src/step/contract/part.ts';
import { defineStep, type Step } from '../../../../src/step/contract/step.ts';
import { forgetOrigins } from '../../../../src/step/undo/forget-origins.ts';
import { undo } from '../../../../src/step/undo/undo.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost } from '../../../fake/fake-host.ts';
import { fakeFacts } from '../../../fake/fake-runner.ts';
import { hostNamed } from '../../../fake/fake-world.ts';

let folder: string;
let ctx: StepContext;
const connector = localConnector();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubexm-undo-'));
  const runner = createRunner(connector, fakeFacts('local'));
  const directories = { keepDir: join(folder, 'keep'), originDir: join(folder, 'prod/before') };
  ctx = fakeContext(hostNamed('node1'), fakeHost('node1'), { ...directories, runner, on: () => runner });
});
afterEach(() => rmSync(folder, { recursive: true }));

const apply = async (step: Step) => {
  for (const part of step.parts(ctx)) {
    if ((await part.precheck(ctx)).done) continue;
    await part.remember?.(ctx);
    await part.run(ctx);
  }
};
const stepOf = (...parts: readonly GenericStep[]) =>
  defineStep({ name: 'it.write', summary: 'Write it', reversible: true, parts: () => parts });
const undoStep = undo('it.write', 'Undo it');
const found = async () => undoStep.parts(ctx)[0]!.precheck(ctx);

it('restores the original state even if the summary of the part has changed', async () => {
  const path = join(folder, 'it.conf');
  writeFileSync(path, 'mine\n');
  await apply(stepOf(file({ path, content: 'ours\n' })));
  await apply(stepOf({ ...file({ path, content: 'ours, again\n' }), summary: 'another text' }));
  expect(await found()).toEqual({ done: false, because: `changed by kubexm: ${path}` });
  await apply(undoStep);
  expect(readFileSync(path, 'utf8')).toBe('mine\n');
  expect(await found()).toEqual({ done: true });
  expect(existsSync(join(ctx.originDir, 'it.write'))).toBe(false);
});

it('restores parts in reverse order', async () => {
  const inner = join(folder, 'new/inner');
  await apply(stepOf(file({ path: join(folder, 'new/a'), content: 'a\n' }), file({ path: inner, content: 'b\n' })));
  await apply(undoStep);
  expect(existsSync(join(folder, 'new'))).toBe(false);
});

it('reports a deleted record and restores the others', async () => {
  const [one, two] = [join(folder, 'one'), join(folder, 'two')];
  await apply(stepOf(file({ path: one, content: 'a\n' }), file({ path: two, content: 'b\n' })));
  const record = join(ctx.originDir, 'it.write', identityHash(`file:${one}`));
  rmSync(record, { recursive: true });
  expect(await found()).toMatchObject({ done: false });
  await expect(apply(undoStep)).rejects.toMatchObject({
    code: 'UNDO_INCOMPLETE',
    message: expect.stringContaining(`${one}: record ${record} is missing`),
  });
  expect([existsSync(one), existsSync(two)]).toEqual([true, false]);
  expect(await found()).toEqual({ done: false, because: `changed by kubexm: ${one}` });
});

it('reports a record whose content was deleted', async () => {
  const path = join(folder, 'one');
  await apply(stepOf(file({ path, content: 'a\n' })));
  rmSync(join(ctx.originDir, 'it.write', identityHash(`file:${path}`), 'before.json'));
  await expect(apply(undoStep)).rejects.toMatchObject({ code: 'UNDO_INCOMPLETE' });
});

it('reports a record whose backup was deleted and restores the others', async () => {
  const [one, two] = [join(folder, 'one'), join(folder, 'two')];
  writeFileSync(two, 'mine\n');
  await apply(stepOf(file({ path: one, content: 'a\n' }), file({ path: two, content: 'b\n' })));
  const record = join(ctx.originDir, 'it.write', identityHash(`file:${two}`));
  rmSync(join(record, backupName(`file ${two}`)));
  await expect(apply(undoStep)).rejects.toMatchObject({
    code: 'UNDO_INCOMPLETE',
    message: expect.stringContaining(`${two}: record ${record} has no backup`),
  });
  expect([existsSync(one), existsSync(two)]).toEqual([false, true]);
});

it('adds the marker of a record that a crash left without one', async () => {
  const path = join(folder, 'one');
  await apply(stepOf(file({ path, content: 'a\n' })));
  const { marker } = originIn(join(ctx.originDir, 'it.write', identityHash(`file:${path}`)));
  rmSync(marker);
  await apply(stepOf(file({ path, content: 'b\n' })));
  expect(readFileSync(marker, 'utf8')).toBe(`file:${path}\n`);
});

it('does not report a record whose removal was interrupted', async () => {
  const path = join(folder, 'one');
  await apply(stepOf(file({ path, content: 'a\n' })));
  const { text } = removeOrigin(originIn(join(ctx.originDir, 'it.write', identityHash(`file:${path}`))));
  const crash = 'rm() { command rm "$@"; exit 1; }';
  expect(() => execFileSync('sh', ['-c', `${crash}\n${text}`])).toThrow();
  expect(await found()).toEqual({ done: true });
});

it('reports an unknown record and keeps it', async () => {
  const record = join(ctx.originDir, 'it.write', '0123456789abcdef');
  mkdirSync(record, { recursive: true });
  writeFileSync(join(record, 'before.json'), '{}');
  await expect(apply(undoStep)).rejects.toMatchObject({ code: 'UNDO_INCOMPLETE' });
  expect(readdirSync(record)).toEqual(['before.json']);
});

it('restores a record of a version without keys', async () => {
  const data = join(folder, 'registry');
  mkdirSync(join(data, 'docker'), { recursive: true });
  writeFileSync(join(data, 'docker/blob'), 'image\n');
  const keep = (text: string, before: object) => {
    const record = join(ctx.originDir, 'registry.data', identityHash(text));
    mkdirSync(record, { recursive: true });
    writeFileSync(join(record, 'before.json'), JSON.stringify(before));
    writeFileSync(join(record, 'place'), `${data}\n`);
  };
  keep(`make the directory ${data}`, { exists: false, mode: 0, owner: '', missing: [] });
  keep(`images in ${data}/docker`, { owner: '' });
  await apply(undo('registry.data', 'Remove the images'));
  expect(existsSync(data)).toBe(false);
});

it('knows the data of an etcd whose directory existed before a version without keys', async () => {
  const record = join(ctx.originDir, 'etcd.data', identityHash('data in /var/lib/etcd/member'));
  mkdirSync(record, { recursive: true });
  writeFileSync(join(record, 'before.json'), '{"owner":""}');
  const [part] = undo('etcd.data', 'Remove the etcd data').parts(ctx);
  expect(await part!.precheck(ctx)).toEqual({ done: false, because: 'changed by kubexm: /var/lib/etcd/member' });
});

it('does not touch parts that were changed since or that are preserved', async () => {
  const [changed, kept] = [join(folder, 'changed'), join(folder, 'kept')];
  await apply(stepOf(file({ path: changed, content: 'a\n' }), file({ path: kept, content: 'b\n' })));
  const isUnchanged = (_: StepContext, key: string) => Promise.resolve(key !== `file:${changed}`);
  await apply(undo('it.write', 'Undo it', { isUnchanged, preserve: (key) => key === `file:${kept}` }));
  expect([existsSync(changed), existsSync(kept)]).toEqual([true, true]);
  expect(await found()).toEqual({ done: true });
});

it('restores the remaining parts before it removes the records, and keeps preserved data', async () => {
  const [path, data] = [join(folder, 'it.conf'), join(folder, 'registry')];
  writeFileSync(path, 'mine\n');
  await apply(stepOf(file({ path, content: 'ours\n' })));
  await apply(
    defineStep({
      name: 'registry.data',
      summary: 'Create the data directory',
      reversible: true,
      parts: () => [ownedDirectory({ path: data })],
    }),
  );
  writeFileSync(join(data, 'blob'), 'image\n');
  await apply(forgetOrigins);
  expect(readFileSync(path, 'utf8')).toBe('mine\n');
  expect(readFileSync(join(data, 'blob'), 'utf8')).toBe('image\n');
  expect(existsSync(ctx.originDir)).toBe(false);
});

it('keeps all records when one of them cannot be restored', async () => {
  const record = join(ctx.originDir, 'it.write', '0123456789abcdef');
  mkdirSync(record, { recursive: true });
  writeFileSync(join(record, 'before.json'), '{}');
  await expect(apply(forgetOrigins)).rejects.toMatchObject({ code: 'UNDO_INCOMPLETE' });
  expect(existsSync(record)).toBe(true);
});

it('does not tear down a host on which the kubelet or etcd is still running', async () => {
  const path = join(folder, 'kubelet');
  await apply(
    defineStep({
      name: 'kubelet.install',
      summary: 'Install the kubelet',
      reversible: true,
      parts: () => [file({ path, content: 'program\n' })],
    }),
  );
  const state = async (unit: string) => ({
    ...(await ctx.runner.services.state(unit)),
    active: unit === 'kubelet.service',
  });
  const running = { ...ctx, runner: { ...ctx.runner, services: { ...ctx.runner.services, state } } };
  const [part] = forgetOrigins.parts(running);
  await expect(part!.run(running)).rejects.toMatchObject({ code: 'STILL_IN_CLUSTER' });
  expect(existsSync(path)).toBe(true);
  expect(existsSync(ctx.originDir)).toBe(true);
});

it('checks for a record of a part in one round trip', async () => {
  const part = file({ path: join(folder, 'one'), content: 'a\n' });
  await apply(stepOf(part));
  const before = connector.roundTrips;
  expect(await restored('it.write', part).precheck(ctx)).toMatchObject({ done: false });
  expect(connector.roundTrips - before).toBe(1);
});

it('keeps the marker of a directory whose removal failed, so that a later run does not record its content as original', async () => {
  const data = join(folder, 'data');
  const step = stepOf(ownedDirectory({ path: data }));
  await apply(step);
  writeFileSync(join(data, 'file'), 'data\n');
  const run = (command: Command) =>
    command.text.includes('-delete') ? Promise.reject(new Error('busy')) : ctx.runner.run(command);
  const fails = { ...ctx.runner, run };
  const [part] = step.parts(ctx);
  const before = { exists: false, used: false, missing: [] };
  await expect(part!.rollback!({ ...ctx, runner: fails }, before)).rejects.toThrow('busy');
  expect(await part!.precheck(ctx)).toEqual({ done: true });
  await apply(undoStep);
  expect(existsSync(data)).toBe(false);
});

it('keeps the data of a stacked etcd that no step has removed', async () => {
  const data = join(folder, 'etcd');
  const parts = () => [ownedDirectory({ path: data })];
  await apply(defineStep({ name: 'kubernetes.note', summary: 'Record the host state', reversible: true, parts }));
  writeFileSync(join(data, 'db'), 'data\n');
  await apply(forgetOrigins);
  expect(readFileSync(join(data, 'db'), 'utf8')).toBe('data\n');
});
