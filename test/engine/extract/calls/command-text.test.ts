import { expect, it } from 'vitest'
import { commandText } from '../../../../src/engine/extract/calls/tool-facts.ts'

it.each<[unknown, string | undefined]>([
  ['npm test', 'npm test'],
  [' ls ', ' ls '],
  ['  ', undefined],
  [[], undefined],
  [undefined, undefined],
  [{ command: 'ls' }, undefined],
  [['npm', 'test'], 'npm test'],
  [['git', 'commit', '-m', "it's done"], "git commit -m 'it'\\''s done'"],
  [['ls', 'my folder', '', 'a&b', 'src/a@1.ts'], "ls 'my folder' '' 'a&b' src/a@1.ts"],
  [['head', '-n', 5], 'head -n 5'],
  [['bash', '-lc', 'npm test && ls'], 'npm test && ls'],
  [['/bin/sh', '-c', 'ls'], 'ls'],
  [['C:\\Windows\\cmd.exe', '/c', 'dir'], 'dir'],
  [['powershell', '-NoProfile', '-Command', 'dir'], 'dir'],
  [['bash', '-c', 'ls', 'more'], 'bash -c ls more'],
  [['bash', 'run.sh'], 'bash run.sh'],
  [['mybash', '-c', 'ls'], 'mybash -c ls'],
  [['python', '-c', 'print()'], "python -c 'print()'"],
  [['-c', 'ls'], '-c ls'],
])('the command in %j is %s', (value, command) => {
  expect(commandText(value)).toBe(command)
})
