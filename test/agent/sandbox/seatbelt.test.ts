import { expect, it } from 'vitest'
import { seatbelt } from '../../../src/agent/sandbox/sandbox.ts'

it('a command on macOS may write to its folders and to temporary ones only', () => {
  const { name, hasNetwork, wrap } = seatbelt({ writable: ['/shop/"a"'] }, true)
  expect({ name, hasNetwork }).toEqual({ name: 'seatbelt', hasNetwork: true })
  expect(wrap(['/bin/sh', '-c', 'true'], { never: [] })).toEqual([
    '/usr/bin/sandbox-exec',
    '-p',
    [
      '(version 1)',
      '(allow default)',
      '(deny file-write*)',
      '(allow file-write* (subpath "/shop/\\"a\\"") (subpath "/private/tmp") (subpath "/private/var/folders") (subpath "/dev"))',
    ].join('\n'),
    '/bin/sh',
    '-c',
    'true',
  ])
})

it('without the network the profile says so', () => {
  const [, , profile = ''] = seatbelt({ writable: [] }, false).wrap([], { never: [] })
  expect(profile.split('\n').at(-1)).toBe('(deny network*)')
})
