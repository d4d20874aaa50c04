import { expect, it } from 'vitest'
import { optionPrograms } from '../../../../src/agent/permissions/shell/runs-forbidden.ts'
import { textWord, UNKNOWN_WORDS } from '../../../../src/agent/permissions/shell/shell-word.ts'

const programsOf = (command: string) => {
  const [name = '', ...words] = command.split(' ')
  return optionPrograms(name, words.map(textWord))
}

it.each([
  ['tar -I ./a -cf x y', ['./a']],
  ['tar -cf x -I./a y', ['./a']],
  ['tar --use-compress-program=./a -cf x y', ['./a']],
  ['tar --to-command ./a -xf x', ['./a']],
  ['tar --to-commands ./a', []],
  ['tar -czf x y', []],
  ['rsync -ave ./a x y', ['./a']],
  ['rsync --rsync-path=./a x y', ['./a']],
  ['rsync --exclude ./a x y', []],
  ['scp -S ./a x y', ['./a']],
  ['gcc -wrapper ./a x.c', ['./a']],
  ['gcc -o ./a x.c', []],
  ['cat -I ./a', []],
])('%s names the programs %j', (command, programs) => {
  expect(programsOf(command)).toEqual(programs)
})

it('a program that is not known is not named', () => {
  expect(optionPrograms('tar', [textWord('-I'), UNKNOWN_WORDS])).toEqual([])
  expect(optionPrograms('tar', [textWord('-I')])).toEqual([])
})
