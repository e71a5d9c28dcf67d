/** Part of a page's script: `countdown()` lets every element with `data-left` seconds run at `data-rate`. */
export const countdownScript = `const countdown = () => {
    for (const left of document.querySelectorAll('[data-left]')) {
      if (!(Number(left.dataset.rate) > 0)) continue
      const began = performance.now()
      const tick = () => {
        const passed = ((performance.now() - began) / 1000) * left.dataset.rate
        const seconds = Math.max(0, Math.ceil(left.dataset.left - passed))
        const text = Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0')
        if (left.textContent !== text) left.textContent = text
        if (seconds > 0 && left.isConnected) requestAnimationFrame(tick)
      }
      tick()
    }
  }`
