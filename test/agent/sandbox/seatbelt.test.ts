import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { SandboxPlace } from '../../../src/agent/sandbox/places.ts'
import { seatbelt } from '../../../src/agent/sandbox/seatbelt.ts'

it('a command on macOS may write to its folders and to temporary ones only', () => {
  const { name, hasNetwork, wrap } = seatbelt(
    { workspace: '/work', places: () => [{ path: '/shop/"a"', access: 'write' }] },
    true,
  )
  expect({ name, hasNetwork }).toEqual({ name: 'seatbelt', hasNetwork: true })
  expect(wrap(['/bin/sh', '-c', 'true'], { never: [] })).toEqual([
    '/usr/bin/sandbox-exec',
    '-p',
    [
      '(version 1)',
      '(allow default)',
      '(deny file-write*)',
      '(allow file-write* (subpath "/private/tmp") (subpath "/private/var/folders") (subpath "/dev"))',
      '(allow file-read* file-write* (subpath "/shop/\\"a\\""))',
    ].join('\n'),
    '/bin/sh',
    '-c',
    'true',
  ])
})

it('without the network the profile says so', () => {
  const [, , profile = ''] = seatbelt({ workspace: '/work', places: () => [] }, false).wrap([], { never: [] })
  expect(profile.split('\n').at(-1)).toBe('(deny network*)')
})

it('the paths of never rules are named in the profile, after the folders that may be written', () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pith-seatbelt-')))
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }))
  mkdirSync(join(workspace, 'conf/keys'), { recursive: true })
  for (const name of ['conf/.env', 'db.sql']) writeFileSync(join(workspace, name), '')
  const { wrap, enforces } = seatbelt({ workspace, places: () => [{ path: workspace, access: 'write' }] }, true)
  const never = [
    { kind: 'read', pattern: '**/.env*' },
    { kind: 'read', pattern: 'conf/keys/**' },
    { kind: 'edit', pattern: 'db.sql' },
    { kind: 'network', pattern: '*' },
  ]
  expect(never.every(enforces)).toBe(true)
  const [, , profile = ''] = wrap([], { never })
  expect(profile.split('\n').slice(5)).toEqual([
    `(deny file-write* (literal "${workspace}/db.sql") (literal "${workspace}/conf/.env") (subpath "${workspace}/conf/keys"))`,
    `(deny file-read* (literal "${workspace}/conf/.env") (subpath "${workspace}/conf/keys"))`,
    `(deny file-write-unlink (literal "${workspace}/conf"))`,
    '(deny network*)',
  ])
})

it('secrets cannot be read, and private caches are named by their variables, which no later line of the profile undoes', () => {
  const places: readonly SandboxPlace[] = [
    { path: '/home/.aws', access: 'none', isFolder: true },
    { path: '/home/.cache', access: 'write', from: '/home/data/1/cache', variable: 'XDG_CACHE_HOME' },
    { path: '/home/.cache/pip/http', access: 'write' },
    { path: '/home/.npmrc', access: 'read', from: '/home/data/1/npmrc', variable: 'npm_config_userconfig' },
    { path: '/home/data', access: 'none', isFolder: true },
    { path: '/home/data/skills', access: 'read' },
  ]
  const line = seatbelt({ workspace: '/work', places: () => places }, true).wrap(['true'], { never: [] })
  expect(line.slice(3)).toEqual([
    ...['/usr/bin/env', 'XDG_CACHE_HOME=/home/data/1/cache', 'npm_config_userconfig=/home/data/1/npmrc', 'true'],
  ])
  expect(line[2]?.split('\n').slice(4)).toEqual([
    '(deny file-read* file-write* (subpath "/home/.aws"))',
    '(allow file-read* (subpath "/home/.cache"))',
    '(deny file-write* (subpath "/home/.cache"))',
    '(allow file-read* file-write* (subpath "/home/.cache/pip/http"))',
    '(deny file-read* file-write* (subpath "/home/.npmrc"))',
    '(deny file-read* file-write* (subpath "/home/data"))',
    '(allow file-read* (subpath "/home/data/skills"))',
    '(deny file-write* (subpath "/home/data/skills"))',
    '(allow file-read* file-write* (subpath "/home/data/1/cache"))',
    '(allow file-read* (subpath "/home/data/1/npmrc"))',
  ])
})
