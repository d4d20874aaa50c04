import { describe, expect, it } from 'vitest'
import { program } from '../../src/cli/program.ts'
import { PRESETS } from '../../src/model/policy/presets.ts'

describe('the command line', () => {
  it.each(['compact', 'replay', 'run'])('lists every preset in the help of %s', (name) => {
    const command = program().commands.find((each) => each.name() === name)
    const policy = command?.options.find(({ long }) => long === '--policy')
    const words = policy?.description.split(/[ ,]+/)
    expect(words).toEqual(expect.arrayContaining(Object.keys(PRESETS)))
  })

  it.each([
    [['compact', 'x', '--nope'], "pith: unknown option '--nope'; see pith compact --help\n"],
    [
      ['gateway', '--port', 'x'],
      "pith: option '--port <port>' argument 'x' is invalid. Write a number up to 65535; see pith gateway --help\n",
    ],
  ])('a wrong call names the help of its command: %j', async (args, line) => {
    const pith = program()
    const [name] = args
    let written = ''
    const command = pith.commands.find((each) => each.name() === name)
    command?.configureOutput({ writeErr: (text) => (written += text) })
    await expect(pith.parseAsync(args, { from: 'user' })).rejects.toThrow()
    expect(written).toBe(line)
  })

  it('the help of the gateway lists no settings of the terminal, and no empty default', () => {
    const help = program()
      .commands.find((each) => each.name() === 'gateway')
      ?.helpInformation()
    expect(help).toContain('--model')
    expect(help).not.toMatch(/--theme|--step-limit|--permissions|\{\}/)
  })
})
