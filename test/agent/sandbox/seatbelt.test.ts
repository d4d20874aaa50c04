import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { seatbelt } from '../../../src/agent/sandbox/seatbelt.ts'

it('a command on macOS may write to its folders and to temporary ones only', () => {
  const { name, hasNetwork, wrap } = seatbelt({ workspace: '/work', writable: ['/shop/"a"'] }, true)
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
  const [, , profile = ''] = seatbelt({ workspace: '/work', writable: [] }, false).wrap([], { never: [] })
  expect(profile.split('\n').at(-1)).toBe('(deny network*)')
})

it('the paths of never rules are named in the profile, after the folders that may be written', () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pith-seatbelt-')))
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }))
  mkdirSync(join(workspace, 'conf/keys'), { recursive: true })
  for (const name of ['conf/.env', 'db.sql']) writeFileSync(join(workspace, name), '')
  const { wrap, enforces } = seatbelt({ workspace, writable: [workspace] }, true)
  const never = [
    { kind: 'read', pattern: '**/.env*' },
    { kind: 'read', pattern: 'conf/keys/**' },
    { kind: 'edit', pattern: 'db.sql' },
    { kind: 'network', pattern: '*' },
  ]
  expect(never.every(enforces)).toBe(true)
  const [, , profile = ''] = wrap([], { never })
  expect(profile.split('\n').slice(4)).toEqual([
    `(deny file-write* (literal "${workspace}/db.sql") (literal "${workspace}/conf/.env") (subpath "${workspace}/conf/keys"))`,
    `(deny file-read* (literal "${workspace}/conf/.env") (subpath "${workspace}/conf/keys"))`,
    `(deny file-write-unlink (literal "${workspace}/conf"))`,
    '(deny network*)',
  ])
})
