//! Messages on standard input and output, each after its length in four bytes.

use std::error::Error;
use std::io::ErrorKind;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tobu::Message;
use tokio::io::{AsyncReadExt, AsyncWriteExt, stdin, stdout};

/// The next message; none at the end of the input.
pub(crate) async fn read<T: Message + DeserializeOwned>() -> Result<Option<T>, Box<dyn Error>> {
    let mut input = stdin();
    let len = match input.read_u32().await {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        len => len?,
    };
    let mut bytes = vec![0; len as usize];
    input.read_exact(&mut bytes).await?;
    Ok(Some(tobu::from_slice(&bytes)?))
}

pub(crate) async fn write<T: Message + Serialize>(message: &T) -> Result<(), Box<dyn Error>> {
    let bytes = tobu::to_vec(message)?;
    let mut output = stdout();
    output.write_u32(u32::try_from(bytes.len())?).await?;
    output.write_all(&bytes).await?;
    output.flush().await?;
    Ok(())
}
