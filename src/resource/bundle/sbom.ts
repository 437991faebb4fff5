import { parseReference } from '../oci/reference.ts';
import type { BundleIndex, SystemPackages } from './bundle-index.ts';

/** The bundle content that a bill of materials lists. */
export type Materials = Pick<BundleIndex, 'cluster' | 'kubernetes' | 'files' | 'images' | 'systems'>;

/**
 * Returns an SPDX 2.3 bill of materials, without a timestamp, so that the same content always produces the same text.
 */
export function sbomText(materials: Materials, id: string): string {
  const packages = [
    ...materials.files.map(fileEntry),
    ...materials.images.map(imageEntry),
    ...materials.systems.flatMap((system) => system.packages.map((one) => packageEntry(system, one))),
  ].map((entry, at) => ({ SPDXID: `SPDXRef-Package-${at + 1}`, ...entry, ...UNKNOWN }));
  const document = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `${materials.cluster}, Kubernetes ${materials.kubernetes}`,
    documentNamespace: `urn:kubexm:bundle:${id}`,
    creationInfo: { created: '1970-01-01T00:00:00Z', creators: ['Tool: kubexm'] },
    packages,
    relationships: packages.map(({ SPDXID }) => ({
      spdxElementId: 'SPDXRef-DOCUMENT',
      relationshipType: 'DESCRIBES',
      relatedSpdxElement: SPDXID,
    })),
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

/** Only the publishers know these values, so they are NOASSERTION. */
const UNKNOWN = {
  filesAnalyzed: false,
  licenseConcluded: 'NOASSERTION',
  licenseDeclared: 'NOASSERTION',
  copyrightText: 'NOASSERTION',
};

const fileEntry = ({ name, version, arch, url, sha256 }: BundleIndex['files'][number]) => ({
  name: arch === undefined ? name : `${name}/${arch}`,
  versionInfo: version,
  downloadLocation: url,
  ...identified(
    sha256,
    `pkg:generic/${encodeURIComponent(name)}@${encodeURIComponent(version)}?checksum=sha256:${sha256}`,
  ),
});

function imageEntry({ ref, digest }: BundleIndex['images'][number]) {
  const { registry, repository, tag } = parseReference(ref);
  const name = repository.slice(repository.lastIndexOf('/') + 1);
  return {
    name: `${registry}/${repository}`,
    versionInfo: tag,
    downloadLocation: 'NOASSERTION',
    ...identified(
      digest.slice('sha256:'.length),
      `pkg:oci/${encodeURIComponent(name)}@${encodeURIComponent(digest)}?repository_url=${encodeURIComponent(`${registry}/${repository}`)}&tag=${encodeURIComponent(tag)}`,
    ),
  };
}

const packageEntry = ({ id, arch }: SystemPackages, one: SystemPackages['packages'][number]) => ({
  name: `${id}/${one.name}`,
  versionInfo: one.version,
  downloadLocation: 'NOASSERTION',
  ...identified(
    one.sha256,
    `pkg:deb/${encodeURIComponent(id.replace(/-.*$/, ''))}/${encodeURIComponent(one.name)}@${encodeURIComponent(one.version)}?arch=${arch}&distro=${encodeURIComponent(id)}`,
  ),
});

const identified = (sha256: string, purl: string) => ({
  checksums: [{ algorithm: 'SHA256', checksumValue: sha256 }],
  externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }],
});
