import { expect, it } from 'vitest';
import { settingIn, withSetting } from '../../../../../src/step/common/text/setting.ts';

const config = '# SELINUX=disabled would switch it off\nSELINUX=enforcing\nSELINUXTYPE=targeted\n';

it('reads the last value of a key, and ignores comments and longer keys', () => {
  expect(settingIn(config, 'SELINUX')).toBe('enforcing');
  expect(settingIn(`${config} SELINUX = "permissive" \n`, 'SELINUX')).toBe('permissive');
  expect(settingIn('# SELINUX=disabled\n', 'SELINUX')).toBeUndefined();
});

it('changes only the lines of the key, or appends one', () => {
  expect(withSetting(config, 'SELINUX', 'permissive')).toBe(config.replace('=enforcing', '=permissive'));
  expect(withSetting('A=1', 'SELINUX', 'permissive')).toBe('A=1\nSELINUX=permissive\n');
  expect(withSetting('', 'SELINUX', 'permissive')).toBe('SELINUX=permissive\n');
});
