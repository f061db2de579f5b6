import { Inside } from './page-side.ts'
import { tokenIn } from './protocol.ts'

// The script in the page of a draft. Only the frame of an editor gives it a token; without one it does nothing. That
// editor is where the script comes from: nobody else is listened to, whoever frames the page.

const script = document.currentScript
const token = tokenIn(location.hash)
if (script instanceof HTMLScriptElement && token !== null && parent !== window) {
  new Inside(token, new URL(script.src).origin).begin()
}
