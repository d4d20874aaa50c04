import { expect, it } from 'vitest'
import { filterQuery, isFiltered, parseFilter } from '../../../web/state/session-filter.ts'

it('a filter is in the address as it was chosen', () => {
  const filter = parseFilter('#/?agent=Claude+Code&folder=%2Frepo%2Fa%26b&sort=cost&unknown=1')
  expect(filter).toMatchObject({ agent: 'Claude Code', folder: '/repo/a&b', sort: 'cost', model: '' })
  expect(filterQuery(filter).toString()).toBe('agent=Claude+Code&folder=%2Frepo%2Fa%26b&sort=cost')
})

it('an address of a session or of the plain list is not a filter, and neither is an order alone', () => {
  for (const hash of ['', '#/', '#/some-session?entry=12', '#/?sort=cost'])
    expect(isFiltered(parseFilter(hash))).toBe(false)
  expect(isFiltered(parseFilter('#/?level=critical'))).toBe(true)
})
