import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Package {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock: { readonly packages: Readonly<Record<string, Package>> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);
const manifest: { readonly dependencies: object; readonly devDependencies: object } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

it('lists the packages for all platforms, which `npm ci` requires: run `node scripts/complete-lock.mjs` if not', () => {
  const missing = Object.entries(lock.packages).flatMap(([owner, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in lock.packages) && !(`${owner}/node_modules/${name}` in lock.packages),
    ),
  );
  expect(missing).toEqual([]);
});

it('contains no download URLs', () => {
  expect(Object.values(lock.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

it('has a checksum for every package, except development tools of other platforms', () => {
  const unverified = Object.entries(lock.packages).filter(([key, { integrity }]) => key !== '' && !integrity);
  const isOtherPlatform = ({ dev, optional, os, cpu }: Package) => dev && optional && (os ?? cpu) !== undefined;
  expect(unverified.filter(([, each]) => !isOtherPlatform(each)).map(([key]) => key)).toEqual([]);
});

it('pins every dependency to one version', () => {
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
});
