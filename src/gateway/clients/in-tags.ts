/** A record in the tags that a client looks for. Tags of these names inside the record get a space, so that they cannot end it or be cut out. */
export function inTags(tag: string, record: string, cutOut: readonly string[] = []): string {
  const names = [tag, ...cutOut].join('|')
  const inner = record.replace(new RegExp(`<(/?(?:${names})>)`, 'g'), '< $1')
  return `<${tag}>\n${inner}\n</${tag}>`
}
