import { expect, it } from 'vitest'
import { encode } from '../../../src/formats/index.ts'
import { fixedDeps } from '../fixture.ts'

const placeOf = (workspace: string) =>
  encode({ entries: [], workspace }, 'claude-code', fixedDeps()).place.split('/')[1]

it('a session is in the folder of its project, as Claude Code names it', () => {
  expect(placeOf('/home/ü/my_app')).toBe('-home---my-app')
})

it('the name of a long path ends with a hash of the path, as seen in Claude Code 2.1.325', () => {
  const path = `/tmp/${'a'.repeat(120)}/${'b_ü c'.repeat(25)}`
  expect(placeOf(path)).toBe(`${path.replaceAll(/[^a-z]/g, '-').slice(0, 200)}-ulx1xi`)
})
