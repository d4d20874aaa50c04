import fc from 'fast-check'

/** Configuration files as people write them: with comments, commas at the end, tabs, one line or many, and all line ends. */
export const jsonDocument: fc.Arbitrary<string> = fc
  .record({
    value: fc.dictionary(fc.constantFrom('a', 'theme', 'x y', 'ünï', 'hooks'), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 3,
    }),
    servers: fc.option(fc.dictionary(fc.constantFrom('one', 'two'), fc.constant({ command: 'x' }), { maxKeys: 2 }), {
      nil: undefined,
    }),
    extensions: fc.option(fc.array(fc.constantFrom('/a.js', '/b.js'), { maxLength: 2 }), { nil: undefined }),
    indent: fc.constantFrom('  ', '\t', '    ', undefined),
    comment: fc.constantFrom('', '// a comment, with: {"braces"}', '/* two\n lines */'),
    hasComma: fc.boolean(),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    mark: fc.constantFrom('', '\uFEFF'),
    end: fc.constantFrom('', '\n', '\n\n'),
  })
  .map(({ value, servers, extensions, indent, comment, hasComma, lineEnd, mark, end }) => {
    const whole = { ...value, ...(servers && { mcpServers: servers }), ...(extensions && { extensions }) }
    const plain = JSON.stringify(whole, undefined, indent)
    const isLong = plain.includes('\n')
    const commented = isLong
      ? plain.replace('\n', ` ${comment}\n`).replace(/\n\}$/, `${hasComma ? ',' : ''} ${comment}\n}`)
      : plain
    return `${mark}${commented.replaceAll('\n', lineEnd)}${end}`
  })
