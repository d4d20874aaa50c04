import { expect, it } from 'vitest'
import { errorLines } from '../../../../src/engine/extract/calls/call-outcome.ts'

it('a line that only echoes a failure is quoted if no line says more', () => {
  expect(errorLines('make: *** [all] stopped\nleaving the folder')).toEqual(['make: *** [all] stopped'])
  expect(errorLines('TypeError: x is no function\nnpm ERR! code 1')).toEqual(['TypeError: x is no function'])
})

it('a line that counts zero errors is not an error: the last line is quoted instead', () => {
  expect(errorLines('✓ handles failures\n0 errors\nall is well')).toEqual(['all is well'])
})
