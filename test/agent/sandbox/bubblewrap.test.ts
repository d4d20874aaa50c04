import { expect, it } from 'vitest'
import { bubblewrap } from '../../../src/agent/sandbox/bubblewrap.ts'

const lineOf = (hasNetwork: boolean) =>
  bubblewrap({ workspace: '/work', writable: ['/work', '/tmp'] }, hasNetwork).wrap(['/bin/true', 'x'], { never: [] })

it('a command on Linux sees all files, and may write to its folders only', () => {
  const line = lineOf(true)
  expect(line.slice(0, 12)).toEqual([
    ...['bwrap', '--ro-bind', '/', '/', '--dev', '/dev'],
    ...['--bind', '/work', '/work', '--bind', '/tmp', '/tmp'],
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
  const { enforces, wrap } = bubblewrap({ workspace: '/work', writable: [] }, true)
  const rule = { kind: 'network', pattern: '*' }
  expect(enforces(rule)).toBe(true)
  expect(wrap(['true'], { never: [rule] })).toContain('--unshare-net')
  expect(wrap(['true'], { never: [] })).not.toContain('--unshare-net')
})
