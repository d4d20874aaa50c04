import { render } from 'preact'
import { Page } from './parts/page.tsx'
import 'uplot/dist/uPlot.min.css'
import './styles/palette.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/frame.css'
import './styles/list.css'
import './styles/session.css'
import './styles/log.css'
import './styles/compaction.css'
import './styles/loss.css'
import './styles/share.css'
import './styles/memory.css'
import './styles/tokens.css'

const root = document.getElementById('app')
if (root !== null) render(<Page />, root)
