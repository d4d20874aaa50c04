import { describe, expect, it } from 'vitest'
import { program } from '../../src/cli/program.ts'
import { PRESETS } from '../../src/model/presets.ts'

describe('the command line', () => {
  it.each(['compact', 'replay', 'run'])('lists every preset in the help of %s', (name) => {
    const command = program().commands.find((each) => each.name() === name)
    const policy = command?.options.find(({ long }) => long === '--policy')
    const words = policy?.description.split(/[ ,]+/)
    expect(words).toEqual(expect.arrayContaining(Object.keys(PRESETS)))
  })
})
