import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { downloadFile } from '../../src/resource/download/download-file.ts';
import { run } from '../../src/lab/run.ts';
import {
  testDownloader,
  fileItem,
  folder,
  program,
  countVerifiedBlobs,
  transferContext,
} from '../fast/resource/support/downloader.ts';
import { fileServer, sha256Of } from '../fast/resource/support/server.ts';

it('stops a download when the disk is full and resumes it once there is space', async () => {
  const disk = folder();
  await run(['mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
  onTestFinished(async () => {
    await run(['umount', disk]);
  });
  const content = program(2_000_000);
  const server = await fileServer();
  server.put('/kubelet', content);
  const downloader = await testDownloader({}, { cacheFolder: disk });
  const item = fileItem(`${server.url}/kubelet`, { sha256: sha256Of(content) });
  await expect(downloadFile(downloader, item, transferContext())).rejects.toMatchObject({
    code: 'FILE_UNWRITABLE',
    message: expect.stringContaining('ENOSPC'),
  });
  expect([countVerifiedBlobs(downloader), server.requests.length]).toEqual([0, 1]);
  await run(['mount', '-o', 'remount,size=8m', disk]);
  const blob = await downloadFile(downloader, item, transferContext());
  expect(sha256Of(readFileSync(blob.path))).toBe(sha256Of(content));
  expect(server.requests.at(-1)?.range).toMatch(/^bytes=[1-9]/);
});
