import { expect, it } from 'vitest'
import { bubblewrap } from '../../../src/agent/sandbox/bubblewrap.ts'
import type { SandboxPlace } from '../../../src/agent/sandbox/places.ts'

const PLACES: readonly SandboxPlace[] = [
  { path: '/home/ada/.aws', access: 'none', isFolder: true },
  { path: '/home/ada/.netrc', access: 'none', isFolder: false },
  { path: '/home/ada/.npm', access: 'write', from: '/data/npm' },
  { path: '/home/ada/.pith', access: 'none', isFolder: true },
  { path: '/home/ada/.pith/skills', access: 'read' },
  { path: '/work', access: 'write' },
]

const lineOf = (hasNetwork: boolean) =>
  bubblewrap({ workspace: '/work', places: () => PLACES }, hasNetwork).wrap(['/bin/true', 'x'], { never: [] })

it('a command on Linux reads all files but the hidden ones, and may write to its folders only', () => {
  const line = lineOf(true)
  expect(line.slice(0, line.indexOf('--unshare-pid'))).toEqual([
    ...['bwrap', '--ro-bind', '/', '/', '--dev', '/dev'],
    ...['--perms', '000', '--tmpfs', '/home/ada/.aws', '--ro-bind', '/dev/null', '/home/ada/.netrc'],
    ...['--bind', '/data/npm', '/home/ada/.npm', '--perms', '755', '--tmpfs', '/home/ada/.pith'],
    ...['--ro-bind', '/home/ada/.pith/skills', '/home/ada/.pith/skills', '--bind', '/work', '/work'],
    ...['--remount-ro', '/home/ada/.aws', '--remount-ro', '/home/ada/.pith'],
  ])
  expect(line.slice(-3)).toEqual(['--', '/bin/true', 'x'])
  expect(line).not.toContain('--unshare-net')
})

it('without the network it gets a network of its own', () => {
  expect(lineOf(false)).toContain('--unshare-net')
})

it('the rights of root are dropped except for those that files and servers need', () => {
  const line = lineOf(true)
  const at = line.indexOf('--cap-drop')
  expect(line[at + 1]).toBe('ALL')
  const kept = line.slice(at + 2, -3).filter((word) => word !== '--cap-add')
  const needed = ['CAP_DAC_OVERRIDE', 'CAP_CHOWN', 'CAP_FOWNER', 'CAP_FSETID', 'CAP_SETUID', 'CAP_SETGID', 'CAP_KILL']
  expect(kept).toEqual(process.getuid?.() === 0 ? needed : [])
})

it('a rule against the network takes it away from this command', () => {
  const { enforces, wrap } = bubblewrap({ workspace: '/work', places: () => [] }, true)
  const rule = { kind: 'network', pattern: '*' }
  expect(enforces(rule)).toBe(true)
  expect(wrap(['true'], { never: [rule] })).toContain('--unshare-net')
  expect(wrap(['true'], { never: [] })).not.toContain('--unshare-net')
})
