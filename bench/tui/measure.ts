import { measureResponsiveness } from './responsive.ts'
import { measureStartUp } from './start-up.ts'

// `node bench/tui/measure.ts [start | keys]`: how soon the first screen is drawn, and how soon a typed key is on it.
const [what] = process.argv.slice(2)
if (what !== 'keys') await measureStartUp()
if (what !== 'start') await measureResponsiveness()
process.exit(0)
