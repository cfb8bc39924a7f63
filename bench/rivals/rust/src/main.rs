//! rs-trafilatura and dom_smoothie: JSON lines of pages in, JSON lines out; see ../extract.py for the rows.
use std::io::{self, BufRead, Write};
use std::panic;
use std::time::Instant;

use serde_json::{json, Value};

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let extract: fn(&str, &str) -> Result<Value, String> = match name.as_str() {
        "rs-trafilatura" => rs_trafilatura,
        "dom_smoothie" => dom_smoothie,
        _ => {
            eprintln!("expected rs-trafilatura or dom_smoothie, not \"{name}\"");
            std::process::exit(2);
        }
    };
    panic::set_hook(Box::new(|_| {}));
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let page: Value = serde_json::from_str(&line.expect("a line")).expect("a JSON row");
        let url = page["url"].as_str().unwrap_or("");
        let html = page["html"].as_str().unwrap_or("");
        let started = Instant::now();
        let made = panic::catch_unwind(|| extract(html, url)).unwrap_or_else(|_| Err("panic".into()));
        let mut row = made.unwrap_or_else(|error| json!({ "text": "", "error": error }));
        row["url"] = json!(url);
        row["cpuMs"] = json!(started.elapsed().as_micros() as f64 / 1000.0);
        writeln!(out, "{row}").expect("a writable output");
    }
}

fn rs_trafilatura(html: &str, url: &str) -> Result<Value, String> {
    let options = rs_trafilatura::Options { url: Some(url.into()), ..Default::default() };
    let found = rs_trafilatura::extract_with_options(html, &options).map_err(|error| error.to_string())?;
    Ok(json!({ "text": found.content_text, "title": found.metadata.title }))
}

fn dom_smoothie(html: &str, url: &str) -> Result<Value, String> {
    // an address that it cannot read makes it fail, so then it goes without
    let mut reader = dom_smoothie::Readability::new(html, Some(url), None)
        .or_else(|_| dom_smoothie::Readability::new(html, None, None))
        .map_err(|error| error.to_string())?;
    let article = reader.parse().map_err(|error| error.to_string())?;
    Ok(json!({ "html": article.content.to_string(), "title": article.title }))
}
