// Receipts open while a mouse rests on their mark; a click keeps them. site.js loads this when it is first needed.

let open = null;
let timer = 0;

const part = (node) => node.closest?.('.src[popovertarget], :popover-open');

function close() {
  if (open?.matches(':popover-open')) open.hidePopover();
  open = null;
}

function enter(target) {
  const over = part(target);
  clearTimeout(timer);
  if (!over) {
    timer = setTimeout(close, 250);
  } else if (over.matches('.src')) {
    const receipt = document.getElementById(over.getAttribute('popovertarget'));
    timer = setTimeout(() => {
      if (!receipt || receipt.matches(':popover-open')) return;
      receipt.showPopover({ source: over });
      open = receipt;
    }, 150);
  }
}

function click(event) {
  const mark = part(event.target);
  if (open && mark?.getAttribute('popovertarget') === open.id) {
    event.preventDefault(); // it is open already: the click keeps it
    open = null;
  }
}

/** Follows the mouse from now on; it rests on target, unless it has left since. */
export function follow(target) {
  document.addEventListener('pointerover', (event) => event.pointerType === 'mouse' && enter(event.target));
  document.addEventListener('click', click);
  if (target.matches(':hover')) enter(target);
}
