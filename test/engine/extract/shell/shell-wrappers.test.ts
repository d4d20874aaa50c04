import { expect, it } from 'vitest'
import { shellSteps, withoutWrappers } from '../../../../src/engine/extract/shell/shell-steps.ts'

function behind(command: string): string | undefined {
  const [step] = shellSteps(command)
  const found = step?.type === 'command' ? withoutWrappers(step.words) : undefined
  return found === undefined ? undefined : [found.name, ...found.rest.map(({ text }) => text)].join(' ')
}

it.each([
  'cat a',
  '/usr/bin/cat a',
  'sudo cat a',
  'sudo -u root -E cat a',
  'sudo --user root -n cat a',
  'sudo --user=root cat a',
  'doas -u root cat a',
  'env A=1 B=2 cat a',
  'env -u HOME -i cat a',
  'env --unset HOME cat a',
  'time -f %e cat a',
  'timeout 5 cat a',
  'timeout -s KILL -k 5 10 cat a',
  'timeout --signal KILL 10 cat a',
  'gtimeout --kill-after 5 10 cat a',
  'nohup cat a',
  'nice -n 10 cat a',
  'ionice -c 2 -n 7 cat a',
  'stdbuf -o L cat a',
  'setsid cat a',
  'command cat a',
  'builtin cat a',
  'exec -a name cat a',
  'sudo nice -n 5 timeout 3 cat a',
])('after `%s` comes the command itself', (command) => {
  expect(behind(command)).toBe('cat a')
})

it('a wrapper that wraps nothing is not a command', () => {
  expect([behind('sudo'), behind('timeout 5'), behind('env A=1')]).toEqual([undefined, undefined, undefined])
})
