const _imports_0 = "/assets/console-session.3Wy8iImg.png";
export {
  _imports_0 as _
};
