import type { Sandbox, SandboxFolders } from './sandbox.ts'

/** macOS: the system's own sandbox. Never tried on a Mac by us. */
export function seatbelt({ writable }: SandboxFolders, hasNetwork: boolean): Sandbox {
  const folders = [...writable, '/private/tmp', '/private/var/folders', '/dev']
  const profile = [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    `(allow file-write* ${folders.map((folder) => `(subpath ${JSON.stringify(folder)})`).join(' ')})`,
    ...(hasNetwork ? [] : ['(deny network*)']),
  ].join('\n')
  return { name: 'seatbelt', hasNetwork, wrap: (program) => ['/usr/bin/sandbox-exec', '-p', profile, ...program] }
}
