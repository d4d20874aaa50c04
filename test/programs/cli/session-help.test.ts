import { describe, expect, it } from 'vitest'
import { WRITABLE_FORMATS } from '../../../src/formats/index.ts'
import { pith, typed } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'
import { full } from '../../support/full.ts'

const COMMANDS = ['sessions', 'inspect', 'compact', 'replay', 'diff', 'recall', 'import', 'export', 'config', 'models']
/** Commands that need a model, another agent, a database or a port. */
const OTHERS = [
  'run',
  'store',
  'serve',
  'wrap',
  'gateway',
  'setup',
  'handoff',
  'mcp',
  'eval',
  'acp',
  'memory',
  'uninstall',
]
/** A word that names a file or the beginning of a session's id; and the words after which it is a file that the example makes. */
const NAMED = /^(?:\.{0,2}|~)\/|\.(?:jsonl?|ts|py|md|pith|db)$|^(?=.*\d)[0-9a-f]{4,}$/
const MAKES = ['--out', '--bundle', '>', '>>', 'backup']

describe('the help of a command', () => {
  it.each(['compact', 'export'])('lists the formats that %s can write, however it is asked for', async (command) => {
    const folders = configFolders()
    const { stdout } = await pith(folders, [command, '--help'])
    const formats = WRITABLE_FORMATS.map((format) => `"${format}"`).join(', ')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`(choices: ${formats}`)
    expect((await pith(folders, ['help', command])).stdout).toBe(stdout)
  })

  it.each(OTHERS)('has examples of %s', async (command) => {
    const { stdout } = await pith(configFolders(), [command, '--help'])
    expect(stdout).toMatch(new RegExp(`^ {2}\\$ .*pith ${command}`, 'm'))
  })

  it.each([...COMMANDS, ...OTHERS])(
    'has examples of %s that name no file and no session that is not there',
    async (command) => {
      const { stdout } = await pith(configFolders(), [command, '--help'])
      const words = [...stdout.matchAll(/^ {2}\$ (.+?)(?: {2,}.*)?$/gm)].flatMap(([, line = '']) =>
        line.replaceAll('"', '').split(' '),
      )
      const made = words.filter((_, i) => MAKES.includes(words[i - 1] ?? ''))
      // Words in capitals are placeholders.
      const missing = words.filter((word) => NAMED.test(word) && !made.includes(word) && !/^[A-Z]/.test(word))
      expect(missing).toEqual([])
    },
  )

  it.each(COMMANDS)('has examples of %s that work as typed, one after the other', async (command) => {
    const folders = configFolders()
    const { stdout, code } = await pith(folders, [command, '--help'])
    expect(code).toBe(0)
    const examples = [...stdout.matchAll(/^ {2}\$ (.+)$/gm)].map((match) => match[1] ?? '')
    expect(examples.length).toBeGreaterThan(0)
    // All of them in the long form.
    for (const example of full ? examples : examples.slice(0, 1)) {
      expect(example).toContain(`pith ${command}`)
      const { code, stderr, stdout } = await typed(folders, example)
      expect({ example, code, stderr: stderr.replace(/^(?:Written to|To continue:).*\n/gm, '') }).toEqual({
        example,
        code: 0,
        stderr: '',
      })
      expect(`${stdout}${stderr}`, example).not.toBe('')
    }
  })
})
