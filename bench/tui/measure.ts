import { measureResponsiveness } from './responsive.ts'
import { measureStartUp } from './start-up.ts'

// `node bench/tui/measure.ts [start | keys]`: how soon the terminal is there, and how soon a key is on it.
const [what] = process.argv.slice(2)
if (what !== 'keys') await measureStartUp()
if (what !== 'start') await measureResponsiveness()
process.exit(0)
