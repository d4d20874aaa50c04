import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readUnasked } from '../../../src/config/read/read-unasked.ts'
import { configFolders } from '../../support/config-folders.ts'

const OUT = 'it leads out of the workspace'

/** Everything that a cloned repository, or its user, can put where a text is expected. */
const KINDS: readonly (readonly [string, (path: string, home: string) => void, object])[] = [
  ['a file', (path) => writeFileSync(path, '\uFEFFhere'), { kind: 'text', text: 'here' }],
  ['nothing', () => {}, { kind: 'missing' }],
  ['a link to nothing', (path) => symlinkSync('nowhere', path), { kind: 'missing' }],
  [
    'a link to a file inside',
    (path, home) => {
      writeFileSync(join(home, 'work', 'other'), 'there')
      symlinkSync('other', path)
    },
    { kind: 'text', text: 'there' },
  ],
  [
    'a link out and back in',
    (path, home) => {
      writeFileSync(join(home, 'work', 'other'), 'back')
      symlinkSync(join(home, 'work', 'other'), join(home, 'away'))
      symlinkSync('../away', path)
    },
    { kind: 'text', text: 'back' },
  ],
  [
    'a link to a file outside',
    (path, home) => {
      writeFileSync(join(home, 'key'), 'secret')
      symlinkSync('../key', path)
    },
    { kind: 'refused', why: OUT },
  ],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path), { kind: 'refused', why: OUT }],
  ['a link to itself', (path) => symlinkSync(path, path), { kind: 'refused', why: 'it cannot be read (ELOOP)' }],
  ['a folder', (path) => mkdirSync(path), { kind: 'refused', why: 'it is not a regular file' }],
  ['a pipe', (path) => execFileSync('mkfifo', [path]), { kind: 'refused', why: 'it is not a regular file' }],
  [
    'a huge file',
    (path) => {
      writeFileSync(path, '')
      truncateSync(path, 1_000_001)
    },
    { kind: 'refused', why: 'it is larger than 1 MB' },
  ],
  [
    'a file of the largest size',
    (path) => writeFileSync(path, 'x'.repeat(1_000_000)),
    { kind: 'text', text: 'x'.repeat(1_000_000) },
  ],
]

describe('a file that is read unasked', () => {
  it.each(KINDS)('may be %s', (_, put, found) => {
    const { home, workspace } = configFolders()
    const path = join(workspace, 'AGENTS.md')
    put(path, home)
    expect(readUnasked(path, { inside: workspace })).toEqual(found)
  })

  it('of the user’s own may be anywhere, but is a regular file', () => {
    const { home, workspace } = configFolders()
    writeFileSync(join(home, 'dotfile'), 'mine')
    symlinkSync(join(home, 'dotfile'), join(workspace, 'mine'))
    symlinkSync('/dev/zero', join(workspace, 'zero'))
    expect(readUnasked(join(workspace, 'mine'))).toEqual({ kind: 'text', text: 'mine' })
    expect(readUnasked(join(workspace, 'zero'))).toEqual({ kind: 'refused', why: 'it is not a regular file' })
  })

  it('is not read if a rule of the user forbids it, by the path that the links lead to', () => {
    const { workspace } = configFolders()
    writeFileSync(join(workspace, '.env'), 'KEY=1')
    symlinkSync('.env', join(workspace, 'AGENTS.md'))
    const mayRead = (path: string) => path !== '.env'
    expect(readUnasked(join(workspace, 'AGENTS.md'), { inside: workspace, mayRead })).toEqual({
      kind: 'refused',
      why: 'a never rule keeps the file from being read',
    })
  })
})
